import { PreconditionError } from '#server/features/maintenance/backup/progress.ts';

/** A word that a command was called with, and what `--name VALUE` or `--name=VALUE` said. */
export interface Arguments {
	words: string[];
	options: Record<string, string>;
}

/** @throws PreconditionError naming an option without a value */
export function readArguments(given: readonly string[]): Arguments {
	const words: string[] = [];
	const options: Record<string, string> = {};
	for (let at = 0; at < given.length; at += 1) {
		const word = given[at] ?? '';
		const [, name, inline] = /^--([a-z-]+)(?:=(.*))?$/su.exec(word) ?? [];
		if (name === undefined) {
			words.push(word);
			continue;
		}
		const value = inline ?? given[at + 1];
		if (value === undefined) throw new PreconditionError(`--${name} needs a value.`);
		if (inline === undefined) at += 1;
		options[name] = value;
	}
	return { words, options };
}
