import { existsSync, readFileSync } from 'node:fs';
import dotenv from 'dotenv';
import { emailPattern } from '#contract/core/text.ts';
import { createAdmin, resetPasswordByEmail } from '#server/features/accounts/administration/operator-commands.ts';
import { importLogins } from '#server/features/accounts/import/login-import.ts';
import { resetTwoFactorByEmailKey } from '#server/features/accounts/two-factor/two-factor.service.ts';
import { systemCaller } from '#server/features/audit/audit.service.ts';
import { PreconditionError } from '#server/features/maintenance/backup/progress.ts';
import { checkIntegrity } from '#server/features/maintenance/tasks/tasks.service.ts';
import { emailKeyOf } from '#server/platform/auth/email-key.ts';
import { type Config, ConfigError, parseConfig } from '#server/platform/config.ts';
import type { Deps } from '#server/platform/deps.ts';
import { requireNoMove } from '#server/platform/locking/process-leases/process-leases.ts';
import { createDeps } from '#server/start.ts';
import { type Arguments, readArguments } from './arguments.ts';
import { runBackup, runMove, runRestore, runVersion } from './maintenance-commands.ts';

const usage = `Usage: npm run cli -- COMMAND

  backup DIR             copy all rows as of one moment, all stored files and the secret into a folder, while the server runs;
                         a folder with an earlier backup keeps what is equal
  restore DIR            bring a backup into the empty installation that the settings name, whichever database and storage
                         (server stopped); also the FILE of rows that an upgrade laid aside, where the stored files stayed
  move --to DATABASE --files PLACE
                         copy this installation (server stopped) to another database and storage, and compare both:
                         postgres://… or sqlite:DIR, and s3://BUCKET?endpoint=…&region=… or a folder
  version                the version of this program and of the database; changes nothing
  fsck                   compare rows and stored bytes; changes nothing; exit 1 when something is wrong
  create-admin EMAIL     make an admin, or give an existing account the role; prints a password for a new one
  import-logins FILE     take the logins of a Firebase auth export over (JSON, with its hash_config); each person's
                         account is made at their first sign-in with the password they have
  reset-password EMAIL   set a new random password, print it, and end that person's sessions
  reset-two-factor EMAIL let that person sign in by password alone until they set two-factor sign-in up again
  accept-secret          start with the SECRET that is set now, when the one before is lost: what that one sealed (bank
                         details, UPI ids, credentials, two-factor keys) stays unreadable

Each is safe while the server runs, but for restore and move, which need it stopped and say so.`;

type Command = (deps: Deps, argument: string | undefined, all: Arguments) => Promise<number>;

/** Those that open the database as it is. */
const commandsWithoutDeps: Record<string, (config: Config, given: Arguments) => Promise<number>> = {
	restore: runRestore,
	version: runVersion,
};

const commands: Record<string, Command> = {
	backup: (deps, _folder, given) => runBackup(deps, given),
	move: (deps, _word, given) => runMove(deps, given),
	async fsck(deps) {
		const { problems, blobs, bytes } = await checkIntegrity(deps);
		for (const { kind, what } of problems) console.log(`${kind}  ${what}`);
		console.log(`fsck: ${blobs} stored files, ${bytes} bytes, ${problems.length} problems`);
		return problems.length === 0 ? 0 : 1;
	},
	async 'create-admin'(deps, email) {
		if (email === undefined || !emailPattern.test(email))
			return fail('create-admin needs an EMAIL, such as owner@example.com.');
		const password = await createAdmin(deps, email);
		console.log(
			password === null
				? `${email} is an admin now, with the password it had.`
				: `Email     ${email}\nPassword  ${password}`,
		);
		return 0;
	},
	async 'import-logins'(deps, file) {
		if (file === undefined || !existsSync(file)) return fail('import-logins needs the FILE of an export.');
		const { imported, skipped: leftOut } = await importLogins(deps, readFileSync(file, 'utf8'));
		for (const { who, why } of leftOut) console.log(`left out  ${who}  ${why}`);
		console.log(`import-logins: ${imported} taken over, ${leftOut.length} left out`);
		return 0;
	},
	async 'reset-password'(deps, email) {
		if (email === undefined) return fail('reset-password needs an EMAIL.');
		const password = await resetPasswordByEmail(deps, email);
		if (password === null) return fail(`There is no account for ${email}.`);
		console.log(`Email     ${email}\nPassword  ${password}`);
		return 0;
	},
	async 'reset-two-factor'(deps, email) {
		if (email === undefined) return fail('reset-two-factor needs an EMAIL.');
		const found = await resetTwoFactorByEmailKey(deps, systemCaller, emailKeyOf(email));
		if (found === 'nobody') return fail(`There is no account for ${email}.`);
		console.log(
			found === 'was-off'
				? `Two-factor sign-in is not on for ${email}.`
				: `${email} signs in by password alone now; a mail tells them.`,
		);
		return 0;
	},
	// It was accepted with the start of this command.
	async 'accept-secret'() {
		console.log('Processes start with this SECRET from now on; one that still runs with another should be stopped.');
		return 0;
	},
};

function fail(sentence: string): number {
	console.error(sentence);
	return 1;
}

async function main(): Promise<number> {
	const [name = '', ...rest] = process.argv.slice(2);
	const bare = Object.hasOwn(commandsWithoutDeps, name) ? commandsWithoutDeps[name] : undefined;
	const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
	const isHelp = ['', 'help', '--help', '-h'].includes(name) || rest.includes('--help');
	if (isHelp || (command === undefined && bare === undefined)) {
		if (!isHelp) console.error(`There is no command ${name}.\n`);
		console.error(usage);
		return isHelp ? 0 : 1;
	}
	if (existsSync('.env')) dotenv.config({ quiet: true });
	const config = { ...readConfig(name), LOG_LEVEL: 'warn' } as const;
	const given = readArguments(rest);
	if (bare !== undefined) return bare(config, given);
	// A command may wait for the database longer than a request may: the server may be writing continuously.
	const deps = await createDeps(config, { isSecretAccepted: name === 'accept-secret', databaseWaitMs: 60_000 });
	try {
		if (name !== 'move') await requireNoMove(deps);
		return (await command?.(deps, given.words[0], given)) ?? 1;
	} finally {
		await deps.bus.close();
		await deps.storage.close();
		await deps.connection.close();
	}
}

/** The keys of a store that only `move` uses are not part of the server's settings. */
function readConfig(command: string): Config {
	const { S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY, ...env } = process.env;
	if (command !== 'move' || env.S3_BUCKET) return parseConfig(process.env);
	return { ...parseConfig(env), S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY };
}

/** For whom the message says it all. */
function isOperatorError(error: unknown): error is Error {
	return error instanceof ConfigError || error instanceof PreconditionError;
}

main().then(
	(code) => process.exit(code),
	(error: unknown) => {
		console.error(isOperatorError(error) ? error.message : error);
		process.exit(1);
	},
);
