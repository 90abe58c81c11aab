import * as z from 'zod';
import { singleLineText } from '#contract/core/common-fields.ts';
import { limits } from '#contract/core/limits.ts';
import { emailPattern } from '#contract/core/text.ts';
import { isoAt } from '../../../platform/clock.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import type { Deps } from '../../../platform/deps.ts';
import { emailKeyOf } from '../../../platform/ids.ts';
import { recordAudit, systemCaller } from '../../audit/index.ts';
import { sealVerifier } from '../users/imported-logins.ts';
import * as queries from '../users/users.queries.ts';

const base64 = z.string().regex(/^[\w+/=-]+$/u);

/** A display name that cannot be a user's name is not imported. */
const usableName = singleLineText.max(limits.userNameMaxLength);

const hashConfig = z.object({
	algorithm: z.literal('SCRYPT').default('SCRYPT'),
	base64_signer_key: base64,
	base64_salt_separator: base64,
	rounds: z.coerce.number().int().min(1).max(16),
	mem_cost: z.coerce.number().int().min(1).max(16),
});

/** Parses the parameters as copied from the Firebase console: `hash_config { name: value, ... }`. */
const consoleConfig = z
	.string()
	.transform((text) =>
		Object.fromEntries([...text.matchAll(/(\w+)\s*:\s*([^\s,}]+)/gu)].map(([, name, value]) => [name, value])),
	)
	.pipe(hashConfig);

const firebaseExport = z.object({
	hash_config: z.union([hashConfig, consoleConfig]),
	users: z.array(
		z.object({
			localId: z.string().optional(),
			email: z.string().optional(),
			displayName: z.string().optional(),
			passwordHash: z.string().optional(),
			salt: z.string().optional(),
			disabled: z.boolean().optional(),
		}),
	),
});

interface LoginImportReport {
	imported: number;
	skipped: Array<{ who: string; why: string }>;
}

/**
 * Imports the logins of a Firebase export (`firebase auth:export --format=JSON`, with the project's `hash_config`
 * added). A user is created later, at the first sign-in, password reset or purchase. The import can be repeated.
 * @throws Error with a readable message for a file of another format
 */
export async function importLogins(deps: Deps, text: string): Promise<LoginImportReport> {
	const file = parseExport(text);
	const { hash_config: config } = file;
	return inTransaction(deps.db, async (tx) => {
		const report: LoginImportReport = { imported: 0, skipped: [] };
		for (const [index, user] of file.users.entries()) {
			const login = user.email ?? user.localId ?? `user ${index + 1}`;
			const skip = (why: string) => report.skipped.push({ who: login, why });
			const email = user.email?.trim() ?? '';
			if (!emailPattern.test(email) || email.length > limits.emailMaxLength) skip('has no full email address');
			else if (user.disabled === true) skip('is disabled in Firebase');
			else if (!user.passwordHash || !user.salt) skip('has no password in Firebase (signs in another way)');
			else if ((await queries.findUserByEmailKey(tx, emailKeyOf(email))) !== undefined) skip('has an account here');
			else {
				const verifier = sealVerifier(deps, {
					kind: 'firebase-scrypt',
					name: usableName.safeParse(user.displayName).data || null,
					hash: user.passwordHash,
					salt: user.salt,
					signerKey: config.base64_signer_key,
					saltSeparator: config.base64_salt_separator,
					rounds: config.rounds,
					memoryCost: config.mem_cost,
				});
				await queries.upsertImportedLogin(tx, {
					email_key: emailKeyOf(email),
					email,
					verifier,
					created_at: isoAt(deps.clock),
				});
				report.imported += 1;
			}
		}
		await recordAudit(deps, tx, systemCaller, 'logins-imported', ['system', 'imported-logins'], {
			count: report.imported,
		});
		return report;
	});
}

function parseExport(text: string): z.infer<typeof firebaseExport> {
	let data: unknown;
	try {
		data = JSON.parse(text);
	} catch (error) {
		throw new Error('The file is not JSON.', { cause: error });
	}
	const parsed = firebaseExport.safeParse(data);
	if (parsed.success) return parsed.data;
	const path = parsed.error.issues[0]?.path.join('.') ?? '';
	throw new Error(
		path.startsWith('hash_config')
			? 'The file needs the password hash parameters of the project as "hash_config" (base64_signer_key, base64_salt_separator, rounds, mem_cost).'
			: `The file is not an export of users: ${path} is missing or of another form.`,
	);
}
