<?php

declare(strict_types=1);

use Dispense\Dispense;
use Dispense\Errors\DispenseException;

require __DIR__ . '/vendor/autoload.php';

// A connection is open when the process is forked, as in a server that loads a program before its workers.
$dispense = Dispense::create(timeout: 3.0, attemptsMax: 2);
$dispense->getWalletBalance();

function sell(Dispense $dispense, string $who): void
{
    for ($n = 0; $n < (int) getenv('SALES'); $n++) {
        $asked = "{$who}-{$n}";
        try {
            $answered = $dispense->buyAirtime(reference: $asked, network: 'MTN', phone: '08031234567', amount: '100')['reference'];
        } catch (DispenseException $error) {
            $answered = $error->charged;
        }
        fwrite(STDOUT, json_encode([$asked, $answered], JSON_THROW_ON_ERROR) . "\n");
    }
}

for ($child = 0; $child < (int) getenv('CHILDREN'); $child++) {
    if (pcntl_fork() === 0) {
        sell($dispense, "child{$child}");
        exit(0);
    }
}
sell($dispense, 'parent');
while (pcntl_wait($status) > 0) {
}
