import { existsSync, readFileSync } from 'node:fs';
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
import { fail, runAcceptSecret, runBackup, runRestore, runRotateSecret, runVersion } from './maintenance-commands.ts';

const usage = `Usage: npm run cli -- COMMAND

  backup DIR             copy all rows as of one moment, all stored files and the secret into a folder, while the server runs;
                         a folder with an earlier backup keeps what is equal
  restore DIR            bring a backup into the empty installation that the settings name, whichever database and storage
                         (server stopped); also the FILE of rows that an upgrade backed up, beside the stored files
  version                the version of this program and of the database; changes nothing
  fsck                   compare rows and stored bytes; changes nothing; exit 1 when something is wrong
  create-admin EMAIL     make an admin, or give an existing account the role; prints a password for a new one
  import-logins FILE     take the logins of a Firebase auth export over (JSON, with its hash_config); each person's
                         account is made at their first sign-in with the password they have
  reset-password EMAIL   set a new random password, print it, and end that person's sessions
  reset-two-factor EMAIL let that person sign in by password alone until they set two-factor sign-in up again
  rotate-secret          replace the secret and encrypt everything again with the new one (server stopped; run it again after
                         an interruption); the new secret is made in DATA_DIR, or is SECRET while PREVIOUS_SECRET is the
                         former one; prints what ends
  accept-secret          start with the SECRET that is set now, when the one before is lost: what that one sealed (bank
                         details, UPI ids, credentials, two-factor keys) stays unreadable

Each is safe while the server runs, but for restore and rotate-secret, which need it stopped and say so. None but restore
creates an installation or upgrades a database.`;

interface Command<Target> {
	/** What the command's argument is; a command without it takes none. */
	needs?: string;
	/** @returns the exit code */
	run: (target: Target, argument: string) => Promise<number>;
}

/** Commands that get the configuration instead of `deps`, because they open the database themselves. */
const commandsWithoutDeps: Record<string, Command<Config>> = {
	restore: { needs: 'the DIR of a backup, or the FILE of rows that an upgrade backed up', run: runRestore },
	version: { run: runVersion },
	'rotate-secret': { run: runRotateSecret },
	'accept-secret': { run: runAcceptSecret },
};

const commands: Record<string, Command<Deps>> = {
	backup: { needs: 'a DIR: a new or empty folder, or one with an earlier backup', run: runBackup },
	fsck: {
		async run(deps) {
			const { problems, blobs, bytes } = await checkIntegrity(deps);
			for (const { kind, what } of problems) console.log(`${kind}  ${what}`);
			console.log(`fsck: ${blobs} stored files, ${bytes} bytes, ${problems.length} problems`);
			return problems.length === 0 ? 0 : 1;
		},
	},
	'create-admin': {
		needs: 'an EMAIL, such as owner@example.com',
		async run(deps, email) {
			if (!emailPattern.test(email)) return fail(`${email} is no email address.`);
			const password = await createAdmin(deps, email);
			console.log(
				password === null
					? `${email} is an admin now, with the password it had.`
					: `Email     ${email}\nPassword  ${password}`,
			);
			return 0;
		},
	},
	'import-logins': {
		needs: 'the FILE of an export',
		async run(deps, file) {
			if (!existsSync(file)) return fail(`There is no file ${file}.`);
			const { imported, skipped: leftOut } = await importLogins(deps, readFileSync(file, 'utf8'));
			for (const { who, why } of leftOut) console.log(`left out  ${who}  ${why}`);
			console.log(`import-logins: ${imported} taken over, ${leftOut.length} left out`);
			return 0;
		},
	},
	'reset-password': {
		needs: 'an EMAIL',
		async run(deps, email) {
			const password = await resetPasswordByEmail(deps, email);
			if (password === null) return fail(`There is no account for ${email}.`);
			console.log(`Email     ${email}\nPassword  ${password}`);
			return 0;
		},
	},
	'reset-two-factor': {
		needs: 'an EMAIL',
		async run(deps, email) {
			const found = await resetTwoFactorByEmailKey(deps, systemCaller, emailKeyOf(email));
			if (found === 'nobody') return fail(`There is no account for ${email}.`);
			console.log(
				found === 'was-off'
					? `Two-factor sign-in is not on for ${email}.`
					: `${email} signs in by password alone now; a mail tells them.`,
			);
			return 0;
		},
	},
};

/** Returns the argument of a command; null after printing why the arguments are wrong. */
function parseArgument(name: string, { needs }: Command<never>, args: string[]): string | null {
	const option = args.find((arg) => arg.startsWith('-'));
	const [argument = '', ...more] = needs === undefined ? ['', ...args] : args;
	if (option !== undefined) fail(`${name} has no option ${option}.`);
	else if (more.length > 0) fail(`${name} has no argument '${more[0]}'.`);
	else if (needs !== undefined && argument === '') fail(`${name} needs ${needs}.`);
	else return argument;
	return null;
}

/**
 * Runs an operator's command and prints its result. An error that the operator can mend is printed as one line.
 * @param argv name and arguments of the command
 * @returns the exit code
 */
export async function runCommand(argv: string[], env: Record<string, string | undefined>): Promise<number> {
	try {
		return await dispatch(argv, env);
	} catch (error) {
		console.error(isOperatorError(error) ? error.message : error);
		return 1;
	}
}

async function dispatch([name = '', ...args]: string[], env: Record<string, string | undefined>): Promise<number> {
	const bare = Object.hasOwn(commandsWithoutDeps, name) ? commandsWithoutDeps[name] : undefined;
	const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
	const known = command ?? bare;
	const isHelp = ['', 'help', '--help', '-h'].includes(name) || args.includes('--help');
	if (isHelp || known === undefined) {
		if (!isHelp) console.error(`There is no command ${name}.\n`);
		console.error(usage);
		return isHelp ? 0 : 1;
	}
	const argument = parseArgument(name, known, args);
	if (argument === null) return 1;
	const config = { ...parseConfig(env), LOG_LEVEL: 'warn' } as const;
	if (bare !== undefined) return bare.run(config, argument);
	const deps = await createDeps(config, {
		mustExist: true,
		// Commands wait longer for the database than requests, because the server may write continuously.
		databaseWaitMs: 60_000,
	});
	try {
		return (await command?.run(deps, argument)) ?? 1;
	} finally {
		await closeDeps(deps);
	}
}

/** Whether an error is shown to the operator by its message alone, without a stack trace. */
function isOperatorError(error: unknown): error is Error {
	// Errors of the file system name what failed and its path.
	const isOfSystem = error instanceof Error && 'syscall' in error;
	return isOfSystem || error instanceof ConfigError || error instanceof PreconditionError;
}
