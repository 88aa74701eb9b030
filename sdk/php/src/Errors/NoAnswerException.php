<?php

declare(strict_types=1);

namespace Dispense\Errors;

/** 500, or no answer at all, after every retry. For a purchase `charged` is `unknown`. */
final class NoAnswerException extends DispenseException
{
}
