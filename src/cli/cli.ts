import { existsSync, readFileSync } from 'node:fs';
import dotenv from 'dotenv';
import { emailPattern } from '#contract/core/text.ts';
import { createAdmin, resetPasswordByEmail } from '#server/features/accounts/administration/operator-commands.ts';
import { importLogins } from '#server/features/accounts/import/login-import.ts';
import { resetTwoFactorByEmailKey } from '#server/features/accounts/two-factor/two-factor.service.ts';
import { systemCaller } from '#server/features/audit/audit.service.ts';
import { PreconditionError } from '#server/features/maintenance/backup/operator-command.ts';
import { checkIntegrity } from '#server/features/maintenance/tasks/tasks.service.ts';
import { type Config, ConfigError, parseConfig } from '#server/platform/config.ts';
import type { Deps } from '#server/platform/deps.ts';
import { emailKeyOf } from '#server/platform/ids.ts';
import { closeDeps, createDeps } from '#server/start.ts';
import { fail, runBackup, runRestore, runVersion } from './maintenance-commands.ts';

const usage = `Usage: npm run cli -- COMMAND

  backup DIR             copy all rows as of one moment, all stored files and the secret into a folder, while the server runs;
                         a folder with an earlier backup keeps what is equal
  restore DIR            bring a backup into the empty installation that the settings name, whichever database and storage
                         (server stopped); also the FILE of rows that an upgrade laid aside, where the stored files stayed
  version                the version of this program and of the database; changes nothing
  fsck                   compare rows and stored bytes; changes nothing; exit 1 when something is wrong
  create-admin EMAIL     make an admin, or give an existing account the role; prints a password for a new one
  import-logins FILE     take the logins of a Firebase auth export over (JSON, with its hash_config); each person's
                         account is made at their first sign-in with the password they have
  reset-password EMAIL   set a new random password, print it, and end that person's sessions
  reset-two-factor EMAIL let that person sign in by password alone until they set two-factor sign-in up again
  accept-secret          start with the SECRET that is set now, when the one before is lost: what that one sealed (bank
                         details, UPI ids, credentials, two-factor keys) stays unreadable

Each is safe while the server runs, but for restore, which needs it stopped and says so.`;

type Command = (deps: Deps, argument: string | undefined) => Promise<number>;

/** Commands that get the configuration instead of `deps`, because they open the database without migrating it. */
const commandsWithoutDeps: Record<string, (config: Config, argument: string | undefined) => Promise<number>> = {
	restore: runRestore,
	version: runVersion,
};

const commands: Record<string, Command> = {
	backup: runBackup,
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
	// `createDeps` with `isSecretAccepted` (see below) has already accepted the SECRET.
	async 'accept-secret'() {
		console.log('Processes start with this SECRET from now on; one that still runs with another should be stopped.');
		return 0;
	},
};

async function main(): Promise<number> {
	const [name = '', argument, ...more] = process.argv.slice(2);
	const bare = Object.hasOwn(commandsWithoutDeps, name) ? commandsWithoutDeps[name] : undefined;
	const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
	const isHelp = ['', 'help', '--help', '-h'].includes(name) || [argument, ...more].includes('--help');
	if (isHelp || (command === undefined && bare === undefined)) {
		if (!isHelp) console.error(`There is no command ${name}.\n`);
		console.error(usage);
		return isHelp ? 0 : 1;
	}
	if (argument?.startsWith('--')) return fail(`${name} has no option ${argument}.`);
	if (existsSync('.env')) dotenv.config({ quiet: true });
	const config = { ...parseConfig(process.env), LOG_LEVEL: 'warn' } as const;
	if (bare !== undefined) return bare(config, argument);
	// Commands wait longer for the database than requests, because the server may write continuously.
	const deps = await createDeps(config, { isSecretAccepted: name === 'accept-secret', databaseWaitMs: 60_000 });
	try {
		return (await command?.(deps, argument)) ?? 1;
	} finally {
		await closeDeps(deps);
	}
}

/** Whether an error is shown to the operator by its message alone, without a stack trace. */
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
