"""Is a candidate at least as good as the live version?"""
