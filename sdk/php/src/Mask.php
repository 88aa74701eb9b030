<?php

declare(strict_types=1);

namespace Dispense;

/** Bodies for the log. */
final class Mask
{
    /** Names of what is worth money, or opens something, wherever it stands. */
    private const SECRET_NAMES = [
        'token', 'token_formatted', 'value', 'pin', 'code', 'lpa', 'qr_code', 'matching_id', 'claim_url', 'load_code', 'secret',
    ];

    /** What could be used by whoever reads it is `***`. */
    public static function body(mixed $body): mixed
    {
        if (!is_array($body)) {
            return $body;
        }
        $isError = ($body['status'] ?? null) === 'error';
        $masked = [];
        foreach ($body as $name => $value) {
            $isSecret = is_string($value) && in_array($name, self::SECRET_NAMES, true) && !($isError && $name === 'code');
            $masked[$name] = $isSecret ? '***' : self::body($value);
        }
        return $masked;
    }
}
