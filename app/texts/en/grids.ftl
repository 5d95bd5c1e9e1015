## Grids: a question per column, a document per row

grids-title = Grids
grids-about = Ask the same questions of many documents: a row for each document, a column for each question, and every answer with its source.
grids-all = All grids
grids-new = New grid
grids-none = <h3>No grid yet</h3>Name some documents and some questions, and read the answers side by side. You can also begin from
    a search or a collection: choose <b>Compare in a grid</b> there.
grids-visitor = <h3>Sign in to make grids</h3>What who only visits makes could not be found again.
grids-gone = There is no such grid that you may read. It may have been removed.
grids-facts = { $columns ->
        [one] { $columns } question
       *[other] { $columns } questions
    } to { $rows ->
        [one] { $rows } document
       *[other] { $rows } documents
    }, made { $age }
grids-of-others = Of { $owner }
grids-is-filling = Being filled
grids-compare = Compare in a grid

## Making one

grids-name = Name
grids-name-help = Such as: Supplier contracts 2026
grids-questions = Questions, one a line
grids-questions-help = Each is asked of each document. Ask for one thing at a time, such as: When does the contract end?
grids-documents = Documents
grids-find-documents = Find documents by title
grids-found-none = No title has these letters.
grids-collections = All documents of these collections
grids-from-search = The best documents for “{ $question }”
grids-from-chosen = { $count ->
        [one] The document that you chose
       *[other] The { $count } documents that you chose
    }
grids-from-collections = { $count ->
        [one] { $count } document of the collection
       *[other] { $count } documents of the collection
    }
grids-writer = Who writes the answers
grids-any-writer = The default
grids-make = Make the grid
grids-choose = Choose the documents that are to be asked.

## A grid

grids-document = Document
grids-table = { $name }: a table of answers
grids-fill = { $count ->
        [one] Ask { $count } answer
       *[other] Ask { $count } answers
    }
grids-fill-help = Only what is missing or out of date is asked
grids-stop = Stop
grids-progress = { $done } of { $all } answers
grids-stale-count = { $count ->
        [one] { $count } is out of date
       *[other] { $count } are out of date
    }
grids-remaining = about { $count ->
        [one] a minute left
       *[other] { $count } minutes left
    }
grids-remaining-seconds = less than a minute left
grids-withheld = { $count ->
        [one] { $count } row is not shown: its document may not be read by you now, or is gone.
       *[other] { $count } rows are not shown: their documents may not be read by you now, or are gone.
    }
grids-newcomers = { $count ->
        [one] { $count } document came into the collection since.
       *[other] { $count } documents came into the collection since.
    }
grids-add-newcomers = { $count ->
        [one] Add it
       *[other] Add them
    }
grids-no-columns = <h3>No question yet</h3>Add a question: it is asked of each document.
grids-no-rows = <h3>No document yet</h3>Add the documents that are to be asked.
grids-nothing = No answer in this document
grids-missing = Not asked yet
grids-waiting = Waits for its turn
grids-failed = Could not be asked
grids-stale = Out of date
grids-stale-help = The document, or who writes the answers, has changed since
grids-not-live = Published no more
grids-verdict = { $verdict ->
        [yes] Yes
       *[no] No
    }
grids-source = Source { $n }: { $quote }
grids-more = Whole answer: { $question }, { $title }
grids-row = Row: { $title }
grids-column = Column: { $question }

## Changing it

grids-add-column = Add a question
grids-question = Question
grids-short-name = Short name
grids-short-name-help = What stands above the column; without it, the question does
grids-save = Save
grids-remove-column = Remove this question
grids-add-rows = Add documents
grids-add = Add
grids-row-open = Open the document
grids-leave-out = Remove from the grid
grids-settings = Settings
grids-readers = Who else may read it
grids-readers-help = They see the rows whose documents they may read themselves
grids-readers-none = Nobody else
grids-remove = Remove the grid
grids-export = Export
grids-export-title = Export as a table
grids-export-note = A file in CSV, which Excel and other programs of tables open. What begins like a formula is written with an apostrophe before it.
grids-export-quotes = With a column more for each question: what the answer quotes, and where
grids-export-csv = Save as CSV
grids-csv-quotes = { $question }: quotes
grids-csv-address = Address
grids-csv-page = page { $page }
grids-csv-stale = { $answer } (out of date)
grids-cell-title = Answer
grids-cell-facts = Answered { $age }, version { $version }, { $model ->
        [extractive] quotes alone, no model
       *[other] by { $model }
    }
