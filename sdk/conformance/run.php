<?php

declare(strict_types=1);

use Dispense\Dispense;
use Dispense\Errors\DispenseException;

require __DIR__ . '/vendor/autoload.php';

/** @var array{network: string, amount: string, concurrency: int, phones: list<string>} $scenario */
$scenario = json_decode(file_get_contents(__DIR__ . '/scenario.json'), true, flags: JSON_THROW_ON_ERROR);
$sales = (int) (getenv('SALES') ?: 100);

/** What became of a sale, however often its answer stays away. */
function sell(Dispense $dispense, array $scenario, int $n): array
{
    $phone = $scenario['phones'][$n % count($scenario['phones'])];
    for ($reference = null; ; ) {
        try {
            $sale = $dispense->buyAirtime(
                reference: $reference,
                network: $scenario['network'],
                amount: $scenario['amount'],
                phone: $phone,
                metadata: ['n' => $n],
            );
            return $sale['status'] === 'pending' ? waited($dispense, $sale['reference']) : $sale;
        } catch (DispenseException $error) {
            // Whether it was bought is not known, or it was not: the same reference again is safe both times.
            $reference = $error->reference;
        }
    }
}

function waited(Dispense $dispense, string $reference): array
{
    for (;;) {
        try {
            return $dispense->waitFor($reference);
        } catch (DispenseException) {
        }
    }
}

for ($worker = 0; $worker < $scenario['concurrency']; $worker++) {
    if (pcntl_fork() !== 0) {
        continue;
    }
    $dispense = Dispense::create(timeout: 1.5);
    for ($n = $worker; $n < $sales; $n += $scenario['concurrency']) {
        $sale = sell($dispense, $scenario, $n);
        $line = ['n' => $n] + array_intersect_key($sale, ['reference' => 1, 'status' => 1, 'total_deducted' => 1]);
        fwrite(STDOUT, json_encode($line, JSON_THROW_ON_ERROR) . "\n");
    }
    exit(0);
}
while (pcntl_wait($status) > 0) {
    if (pcntl_wexitstatus($status) !== 0) {
        exit(1);
    }
}
