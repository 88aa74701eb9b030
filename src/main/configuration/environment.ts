import { StartError } from "../../kernel/start-error.ts";
import type { Environment } from "./config.ts";

/** The environment, and for what it leaves open a `.env` in the working folder. @throws StartError when that is unreadable */
export function loadEnvironment(): Environment {
  try {
    process.loadEnvFile();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "ENOENT") throw new StartError(`The file .env can't be read (${code}).`, { cause: error });
  }
  return process.env;
}
