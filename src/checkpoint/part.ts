/** The turn of which this is a part: `7` of `7~1`, what a job of turn 7 did after the turn had ended. */
export const partOf = (turn: string): string => turn.replace(/~\d+$/, '');
