import * as z from 'zod';
import { emailForm } from '#contract/core/email-form.ts';
import { limits } from '#contract/core/limits.ts';
import { inTransaction } from '../../db/transaction.ts';
import { isoAt } from '../../platform/clock.ts';
import type { Deps } from '../../platform/deps.ts';
import { recordAudit, systemCaller } from '../audit/audit.service.ts';
import * as queries from './account.queries.ts';
import { emailKeyOf } from './account.service.ts';
import { sealVerifier } from './imported-logins.ts';

const base64 = z.string().regex(/^[\w+/=-]+$/u);

const hashConfig = z.object({
	algorithm: z.literal('SCRYPT').default('SCRYPT'),
	base64_signer_key: base64,
	base64_salt_separator: base64,
	rounds: z.coerce.number().int().min(1).max(16),
	mem_cost: z.coerce.number().int().min(1).max(16),
});

/** The console shows the parameters as `hash_config { name: value, ... }`: taken as it is copied. */
const writtenConfig = z
	.string()
	.transform((text) =>
		Object.fromEntries([...text.matchAll(/(\w+)\s*:\s*([^\s,}]+)/gu)].map(([, name, value]) => [name, value])),
	)
	.pipe(hashConfig);

const exportFile = z.object({
	hash_config: z.union([hashConfig, writtenConfig]),
	users: z.array(
		z.object({
			localId: z.string().optional(),
			email: z.string().optional(),
			passwordHash: z.string().optional(),
			salt: z.string().optional(),
			disabled: z.boolean().optional(),
		}),
	),
});

/** What an import did with the file's users; each that was left out with the reason. */
export interface ImportReport {
	imported: number;
	leftOut: Array<{ who: string; why: string }>;
}

/**
 * Takes the logins of an export of the hosted backend over (`firebase auth:export --format=JSON`, with the project's
 * `hash_config` added). No profile is made: that happens at each person's first right sign-in. Doing it twice does no harm.
 * @throws Error in words for a file of another form
 */
export async function importLogins(deps: Deps, text: string): Promise<ImportReport> {
	const file = readExport(text);
	const { hash_config: config } = file;
	const report: ImportReport = { imported: 0, leftOut: [] };
	await inTransaction(deps.db, async (tx) => {
		for (const [index, user] of file.users.entries()) {
			const who = user.email ?? user.localId ?? `user ${index + 1}`;
			const leaveOut = (why: string) => report.leftOut.push({ who, why });
			const email = user.email?.trim() ?? '';
			if (!emailForm.test(email) || email.length > limits.emailMaxLength) leaveOut('has no full email address');
			else if (user.disabled === true) leaveOut('is disabled there');
			else if (!user.passwordHash || !user.salt) leaveOut('has no password there (signs in through somebody else)');
			else if ((await queries.findUserByEmailKey(tx, emailKeyOf(email))) !== undefined) leaveOut('has an account here');
			else {
				const verifier = sealVerifier(deps, {
					kind: 'firebase-scrypt',
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
		await recordAudit(deps, tx, systemCaller, {
			action: 'logins-imported',
			subjectKind: 'system',
			subjectId: 'imported-logins',
			detail: { count: report.imported },
		});
	});
	return report;
}

function readExport(text: string): z.infer<typeof exportFile> {
	let data: unknown;
	try {
		data = JSON.parse(text);
	} catch (error) {
		throw new Error('The file is not JSON.', { cause: error });
	}
	const parsed = exportFile.safeParse(data);
	if (parsed.success) return parsed.data;
	const place = parsed.error.issues[0]?.path.join('.') ?? '';
	throw new Error(
		place.startsWith('hash_config')
			? 'The file needs the password hash parameters of the project as "hash_config" (base64_signer_key, base64_salt_separator, rounds, mem_cost).'
			: `The file is not an export of users: ${place} is missing or of another form.`,
	);
}
