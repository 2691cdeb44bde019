def is_verdicts(path): return False
