import type { InputOf } from '#contract/core/endpoint.ts';
import { canReceiveMail, type Locale } from '#contract/core/text.ts';
import type { FirstStep, firstSteps } from '#contract/setup/first-steps.ts';
import type { Caller, MemberCaller } from '../../platform/actor.ts';
import type { Deps } from '../../platform/deps.ts';
import { getBook, getBookForAdmin } from '../book/index.ts';
import { describeSender, getMailReadiness } from '../mail/index.ts';
import { getLastBackup } from '../maintenance/index.ts';
import { getSetting, type StoredSetting, updateSetting } from '../settings/index.ts';
import { hasOwnContent } from '../storefront/index.ts';

const setting: StoredSetting<{ isDismissed: boolean; isDefaultContentKept: boolean }> = {
	key: 'first-steps',
	defaults: { isDismissed: false, isDefaultContentKept: false },
};

/** Returns what the owner has set up and what is missing for selling, computed from the current settings. */
export async function listFirstSteps(deps: Deps, { actor, locale }: MemberCaller) {
	const { isDismissed, isDefaultContentKept } = (await getSetting(deps.db, setting)).value;
	const hasContent = isDefaultContentKept || (await hasOwnContent(deps.db));
	const lastBackup = await getLastBackup(deps.db);
	const steps: FirstStep[] = [
		canReceiveMail(actor.email) && !actor.hasInitialPassword
			? done('login', actor.email)
			: missing('login', 'first-login', actor.email),
		await mailStep(deps, locale),
		...(await bookSteps(deps, locale)),
		hasContent ? done('storefront') : missing('storefront', 'default-content'),
		addressStep(deps),
		lastBackup === null
			? { key: 'backup', state: 'optional', reason: 'no-backup', value: null }
			: done('backup', lastBackup),
	];
	return { steps, folder: process.cwd(), isDismissed };
}

/** Saves what an admin has decided, for all admins. */
export async function saveFirstSteps(deps: Deps, caller: Caller, input: InputOf<typeof firstSteps.save>) {
	await updateSetting(deps, caller, setting, {
		change: (_tx, value) => ({
			isDismissed: input.isDismissed ?? value.isDismissed,
			isDefaultContentKept: input.isDefaultContentKept ?? value.isDefaultContentKept,
		}),
		action: 'first-steps-changed',
		auditDetail: (saved) => saved,
	});
	deps.bus.publish({ kind: 'event', audience: { to: 'admins' }, event: { topic: 'first-steps' } });
	return {};
}

function done(key: FirstStep['key'], value: string | null = null): FirstStep {
	return { key, state: 'done', reason: null, value };
}

function missing(key: FirstStep['key'], reason: FirstStep['reason'], value: string | null = null): FirstStep {
	return { key, state: 'missing', reason, value };
}

async function mailStep(deps: Deps, locale: Locale): Promise<FirstStep> {
	const { state, error } = await getMailReadiness(deps);
	return state === 'sent' ? done('mail', await describeSender(deps, locale)) : missing('mail', state, error);
}

/** Title and price, a way to pay, and the file of an edition. */
async function bookSteps(deps: Deps, locale: Locale): Promise<FirstStep[]> {
	const { isSaved } = await getBook(deps, deps.db);
	const { bank, upi, qrCodeUrl, editions, bookFiles } = await getBookForAdmin(deps, locale);
	const hasBank = bank.accountNumber !== '' && bank.ifsc !== '';
	const hasPartOfBank = Object.values(bank).some((text) => text !== '');
	const canPay = hasBank || upi.id !== '' || qrCodeUrl !== null;
	const assigned = editions.filter(({ fileId }) => fileId !== null);
	const problem = assigned.every((edition) => edition.problem !== null) ? (assigned[0]?.problem ?? null) : null;
	const noFileReason = bookFiles.length === 0 ? 'no-file' : 'not-assigned';
	const editionReason = assigned.length === 0 ? noFileReason : problem === null ? null : 'unusable';
	return [
		isSaved ? done('book') : missing('book', 'not-saved'),
		canPay ? done('payment') : missing('payment', hasPartOfBank ? 'half-bank' : 'no-payment'),
		editionReason === null ? done('edition') : missing('edition', editionReason, problem),
	];
}

function addressStep({ config: { PUBLIC_URL } }: Deps): FirstStep {
	return PUBLIC_URL.startsWith('https://') ? done('address', PUBLIC_URL) : missing('address', 'not-https', PUBLIC_URL);
}
