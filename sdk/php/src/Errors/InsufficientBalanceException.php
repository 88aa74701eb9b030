<?php

declare(strict_types=1);

namespace Dispense\Errors;

/** 402: the wallet holds less than the purchase costs. */
final class InsufficientBalanceException extends DispenseException
{
}
