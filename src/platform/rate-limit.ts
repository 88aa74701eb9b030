/** Where a key stands in its present minute. */
export interface RateState {
  readonly accepted: boolean;
  /** Requests that the key may still send in this minute, as far as this process knows. */
  readonly remaining: number;
  /** Until the minute ends. */
  readonly resetSeconds: number;
  /** Until a refused key should try again; 0 for an accepted one. */
  readonly retryAfterSeconds: number;
}

export interface RateLimit {
  /** Requests a minute and key. */
  readonly limit: number;
  /** Counts one request. Answers at once from what was leased before, else a promise. */
  take(key: number): RateState | Promise<RateState>;
  /** Where the key stands, without counting. */
  peek(key: number): RateState;
}
