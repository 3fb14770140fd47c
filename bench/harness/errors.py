"""Errors of the user: cause and remedy, status 2."""


class UserError(Exception):
    def __init__(self, cause, remedy):
        super().__init__(cause)
        self.cause, self.remedy = cause, remedy

    def __str__(self):
        return f"{self.cause}\n  {self.remedy}"
