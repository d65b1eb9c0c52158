"""The words of questions that scripts show, already translated."""

from django.utils.translation import gettext as _


def question_words() -> dict[str, str]:
    return {
        "question_came": _("Question for you: {header}. {question}"),
        "question_elsewhere": _("A question waits in another conversation: {header}"),
        "question_step": _("Question {step} of {count}: {header}"),
        "question_review": _("Review"),
        "question_unanswered": _("not answered"),
        "question_nothing": _("Choose or type an answer, or use Skip."),
        "question_other_blank": _("You chose Other: type your answer there, or choose something else."),
        "question_submit": _("Submit"),
        "question_submitting": _("Submitting…"),
        "question_skipping": _("Skipping…"),
        "question_sent": _("Your answer was sent."),
        "question_skipped": _("The questions were skipped."),
        "question_changed": _("Your answer was changed; a new branch begins there."),
        "question_extended": _("You have more time now."),
        "question_no_more_time": _("There is no more time to add."),
        "question_minute_left": _("One minute left to answer."),
        "question_seconds_left": _("Ten seconds left to answer."),
        "question_ended_answered": _("The questions were answered elsewhere."),
        "question_ended_skipped": _("The questions were skipped elsewhere."),
        "question_ended_expired": _("The time to answer is over."),
        "question_ended_cancelled": _("The questions were cancelled: what asked them was stopped."),
        "question_images_limit": _("At most 4 images can be added."),
        "question_other": _("Other"),
        "question_own": _("Your own answer"),
        "question_recommended": _("Recommended"),
        "question_several": _("More than one may be chosen."),
        "question_comment": _("Comment"),
        "question_skip": _("Skip"),
        "question_really_skip": _("Skip all the same"),
        "question_keep": _("Go on answering"),
        "question_sure": _("What you typed will not be sent. Skip all the same?"),
        "question_extend": _("More time"),
        "question_time": _("Time left: {time}"),
    }
