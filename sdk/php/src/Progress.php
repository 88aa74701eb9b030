<?php

declare(strict_types=1);

namespace Dispense;

/** What a call has come to so far. */
final class Progress
{
    /** @param bool $isUnknown whether what $reference names may have been bought, for all that this client knows */
    public function __construct(public readonly ?string $reference, public bool $isUnknown)
    {
    }

    /** @return 'no'|'unknown' */
    public function charged(): string
    {
        return $this->isUnknown ? 'unknown' : 'no';
    }

    public function advice(): string
    {
        return $this->isUnknown && $this->reference !== null
            ? " {$this->reference} may have been bought: ask for it before you sell again or give money back."
            : '';
    }
}
