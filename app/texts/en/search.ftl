## Search

search-box = Search your documents
search-go = Search
search-mode = Search by
search-mode-rerank = Best
search-mode-hybrid = Quick
search-mode-lexical = Words
search-mode-vector = Meaning
search-mode-help = { $mode ->
        [rerank] Words and meaning, with the best passages reranked
        [hybrid] Words and meaning, not reranked
        [lexical] Only passages that hold your words
       *[vector] Only by what passages mean, whatever their words
    }
search-match = Must hold
search-match-any = Any of it
search-match-all = All words
search-match-exact = Exact text
search-match-part = Parts of words
search-match-help = { $match ->
    [all] every word of the question, in any form
    [exact] the question's text as it is written
    [part] the question's text, also within words: for codes and names
   *[other] some of its words, or what it means
    }
search-try-match = Look for <a href="{ $address }" target="_self">any of it</a>
search-sort = Sort
search-sort-relevance = Relevance
search-sort-date = Newest

search-filters = Filters
search-facet-collection = Collection
search-facet-source = Source
search-facet-type = Type
search-facet-language = Language
search-facet-tag = Tags, all of them
search-facet-since = Date
search-age = Age
search-archived = Archived
search-archived-help = Only what is archived by its age, in place of the other documents
search-limit-since = since { $value }
search-limit-until = until { $value }
search-choice = { $facet }: { $value }
search-remove = Remove this filter
search-remove-all = Clear all
search-more-choices = { $count } more
search-past-week = Past week
search-past-month = Past month
search-past-year = Past year
search-from = From
search-to = To
search-set = Set

search-results = Results
search-found = { $documents ->
        [one] { $documents } document
       *[other] { $documents } documents
    }
search-found-best = { $documents ->
        [one] The best document
       *[other] The { $documents } best documents
    }
search-newest-note = Newest first, among the { $documents ->
        [one] one document that answers
       *[other] { $documents } documents that answer
    } best
search-took = { $ms } ms
search-quick = Quick order while you type. <kbd>Enter</kbd> reranks.
search-looking = Reranking …
search-busy = Many are searching just now: this is the quick order. <kbd>Enter</kbd> tries to rerank again.
search-understood = Understood as: { $query }
search-nearest = Nothing here seems to answer this. The nearest passages:
search-instructs = This document tries to instruct its reader.
search-page-of = page { $page }
search-pages = Pages of results
search-page = Page { $page }
search-previous = Previous
search-next = Next
search-last = These are the best { $count }. To see others, narrow the search with a filter or with more words.

search-nothing = Nothing found
search-nothing-relevant = Nothing relevant found
search-try-spelling = Check the spelling, or use other or fewer words.
search-try-meaning = <a href="{ $address }" target="_self">Search by meaning too</a>, not by words alone.
search-try-without = Without the filter <b>{ $filter }</b>
        { $documents ->
            [one] <a href="{ $address }" target="_self">one document</a> answers.
           *[other] <a href="{ $address }" target="_self">{ $documents } documents</a> answer.
        }
search-try-clear = <a href="{ $address }" target="_self">Clear all filters</a>.

search-welcome = <h1>Search</h1><p>{ $documents ->
            [one] One document
           *[other] { $documents } documents
    } by their words and by what they mean. Results come as you type.</p>
search-syntax-title = What you can type
search-syntax = <dl>
    <div><dt><code>annual leave</code></dt><dd>these words, their forms, and what means the same</dd></div>
    <div><dt><code>"notice period"</code></dt><dd>exactly these words in a row</dd></div>
    <div><dt><code>*4471*</code></dt><dd>this part of a word, a code or a name</dd></div>
    <div><dt><code>source:{ $source }</code></dt><dd>only from there; also <code>type:</code> <code>lang:</code> <code>collection:</code> <code>tag:</code></dd></div>
    <div><dt><code>after:2025-06</code></dt><dd>not older; <code>before:</code> for not newer</dd></div>
    <div><dt><code>-draft</code></dt><dd>without this word</dd></div>
    </dl>
search-keys = <kbd>/</kbd> goes to the box, <kbd>↓</kbd> <kbd>↑</kbd> or <kbd>j</kbd> <kbd>k</kbd> through the results,
    <kbd>Enter</kbd> opens one, <kbd>Esc</kbd> leads back.

## Why a hit has its rank, and why a document is not among the hits

search-why = Why this rank
search-why-not = Why not this document?
search-why-not-name = Document
search-why-not-box = Its address, or the end of one
search-why-rank = rank
search-why-score = score
search-why-final = final
search-why-probably = probably relevant
search-why-lexical = words (BM25)
search-why-vector = meaning (cosine)
search-why-fused = fused
search-why-aged = after its age (recency)
search-why-trusted = after the trust in its source
search-why-reranked = after reranking
search-why-fed-back = after pseudo-relevance feedback
search-why-found = Found at rank { $rank }
search-why-lost = Not among the hits: { $stage }
search-why-passage = passage
search-why-passage-n = passage { $n }
search-why-ended = ended
search-why-retriever-lexical = words
search-why-retriever-vector = meaning
search-why-of = { $rank } of { $of }
search-why-more = and { $count } more passages
search-end-beyond-k = ranked lower
search-end-depth = no candidate
search-end-aged = age
search-end-trusted = less trusted source
search-end-reranked = reranking
search-end-unwanted = demoted
search-end-irrelevant = not relevant
search-also = also in
search-ask-these = Ask about these
search-no-collection = In no collection
