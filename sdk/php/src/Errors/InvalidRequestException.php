<?php

declare(strict_types=1);

namespace Dispense\Errors;

/** 400, 404, 405, 413, 415: the request itself is wrong. Sending it again changes nothing. */
final class InvalidRequestException extends DispenseException
{
}
