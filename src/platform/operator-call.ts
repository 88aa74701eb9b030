// biome-ignore lint/style/noProcessEnv: who packs the service says how its commands are called, not who runs it
const given = process.env.OPERATOR_COMMAND;

/** How people call the operator's commands where this runs: OPERATOR_COMMAND says it where that is not by npm, as in the image. */
export const operatorCommand = given ?? "npm run operator --";
/** Whether the system's user tells who calls. What stands between runs everybody's commands as one user. */
export const knowsCallers = given === undefined;
