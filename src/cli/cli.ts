import { existsSync, readFileSync } from 'node:fs';
import dotenv from 'dotenv';
import { emailForm } from '#contract/core/email-form.ts';
import { emailKeyOf } from '#server/features/account/account.service.ts';
import { importLogins } from '#server/features/account/import-logins.service.ts';
import { createAdmin, resetPasswordFor } from '#server/features/account/operator.service.ts';
import { systemCaller } from '#server/features/audit/audit.service.ts';
import { resetByEmailKey } from '#server/features/two-factor/two-factor.service.ts';
import { checkEverything } from '#server/features/upkeep/upkeep.service.ts';
import { ConfigError, parseConfig } from '#server/platform/config.ts';
import type { Deps } from '#server/platform/deps.ts';
import { createDeps } from '#server/start.ts';

const usage = `Usage: npm run cli -- COMMAND

  fsck                   compare rows and stored bytes; changes nothing; exit 1 when something is wrong
  create-admin EMAIL     make an admin, or give an existing account the role; prints a password for a new one
  import-logins FILE     take the logins of a Firebase auth export over (JSON, with its hash_config); each person's
                         account is made at their first sign-in with the password they have
  reset-password EMAIL   set a new random password, print it, and end that person's sessions
  reset-two-factor EMAIL let that person sign in by password alone until they set two-factor sign-in up again

Each is safe while the server runs.`;

type Command = (deps: Deps, argument: string | undefined) => Promise<number>;

const commands: Record<string, Command> = {
	async fsck(deps) {
		const { problems, blobs, bytes } = await checkEverything(deps);
		for (const { kind, what } of problems) console.log(`${kind}  ${what}`);
		console.log(`fsck: ${blobs} stored files, ${bytes} bytes, ${problems.length} problems`);
		return problems.length === 0 ? 0 : 1;
	},
	async 'create-admin'(deps, email) {
		if (email === undefined || !emailForm.test(email))
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
		const { imported, leftOut } = await importLogins(deps, readFileSync(file, 'utf8'));
		for (const { who, why } of leftOut) console.log(`left out  ${who}  ${why}`);
		console.log(`import-logins: ${imported} taken over, ${leftOut.length} left out`);
		return 0;
	},
	async 'reset-password'(deps, email) {
		if (email === undefined) return fail('reset-password needs an EMAIL.');
		const password = await resetPasswordFor(deps, email);
		if (password === null) return fail(`There is no account for ${email}.`);
		console.log(`Email     ${email}\nPassword  ${password}`);
		return 0;
	},
	async 'reset-two-factor'(deps, email) {
		if (email === undefined) return fail('reset-two-factor needs an EMAIL.');
		const found = await resetByEmailKey(deps, systemCaller, emailKeyOf(email));
		if (found === 'nobody') return fail(`There is no account for ${email}.`);
		console.log(
			found === 'was-off'
				? `Two-factor sign-in is not on for ${email}.`
				: `${email} signs in by password alone now; a mail tells them.`,
		);
		return 0;
	},
};

function fail(sentence: string): number {
	console.error(sentence);
	return 1;
}

async function main(): Promise<number> {
	const [name = '', argument] = process.argv.slice(2);
	const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
	if (command === undefined) {
		console.error(usage);
		return name === '' || name === '--help' ? 0 : 1;
	}
	if (existsSync('.env')) dotenv.config({ quiet: true });
	const deps = await createDeps({ ...parseConfig(process.env), LOG_LEVEL: 'warn' });
	try {
		return await command(deps, argument);
	} finally {
		await deps.bus.close();
		await deps.connection.close();
	}
}

main().then(
	(code) => process.exit(code),
	(error: unknown) => {
		console.error(error instanceof ConfigError ? error.message : error);
		process.exit(1);
	},
);
