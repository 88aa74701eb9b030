<?php

declare(strict_types=1);

namespace Dispense;

/** Amounts of naira without floats. */
final class Money
{
    /**
     * Kobo in an amount as the API writes it: `toKobo('1240.50')` is 124050.
     *
     * @throws \ValueError for anything else
     */
    public static function toKobo(string $amount): int
    {
        if (preg_match('/^(-?)([0-9]{1,15})(?:\.([0-9]{1,2}))?$/D', $amount, $parts) !== 1) {
            throw new \ValueError('Not an amount of naira: ' . json_encode($amount));
        }
        $total = (int) $parts[2] * 100 + (int) str_pad($parts[3] ?? '', 2, '0');
        return $parts[1] === '-' ? -$total : $total;
    }

    /** An amount as the API takes it: `fromKobo(124050)` is '1240.50'. */
    public static function fromKobo(int $kobo): string
    {
        return sprintf('%s%d.%02d', $kobo < 0 ? '-' : '', intdiv(abs($kobo), 100), abs($kobo) % 100);
    }

    /** The sum of amounts: `add('0.10', '0.20')` is '0.30'. */
    public static function add(string ...$amounts): string
    {
        return self::fromKobo(array_sum(array_map(self::toKobo(...), $amounts)));
    }
}
