<?php

declare(strict_types=1);

namespace Dispense\Errors;

/** 401 and 403: the key, the address, the account or what it may do. */
final class AccessException extends DispenseException
{
}
