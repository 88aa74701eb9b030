<?php

declare(strict_types=1);

namespace Dispense\Errors;

/** 429, after every retry. */
final class RateLimitException extends DispenseException
{
}
