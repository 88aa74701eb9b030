<?php

declare(strict_types=1);

namespace Dispense\Errors;

/** 409: the reference belongs to another purchase, the price changed, the thing exists. */
final class ConflictException extends DispenseException
{
}
