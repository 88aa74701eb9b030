<?php

declare(strict_types=1);

namespace Dispense\Errors;

/** 502 and 503, after every retry: not now. */
final class UnavailableException extends DispenseException
{
}
