import { implement } from '@orpc/server';
import { contract } from '#contract/contract.ts';
import { requireMember } from '../../platform/actor.ts';
import type { Deps } from '../../platform/deps.ts';
import type { ApiContext } from '../../platform/http/api.ts';
import { getMailSettingsForAdmin, saveMailSettings } from './mail-settings.ts';
import { sendTestMail } from './outbox/mail-sender.ts';
import { getMailStatus } from './outbox/outbox.service.ts';

/** What the owner sees of the outbox. */
export function mailRoutes(deps: Deps) {
	const os = implement(contract.mail).$context<ApiContext>();
	return {
		status: os.status.handler(() => getMailStatus(deps)),
		sendTest: os.sendTest.handler(({ context }) => sendTestMail(deps, requireMember(context.caller))),
	};
}

/** Mails to the owner, and the seller on receipts. */
export function mailSettingsRoutes(deps: Deps) {
	const os = implement(contract.mailSettings).$context<ApiContext>();
	return {
		get: os.get.handler(() => getMailSettingsForAdmin(deps)),
		save: os.save.handler(({ input, context }) => {
			const { isOrderMailed, isChatMailed, orderMailTo, seller, version } = input;
			return saveMailSettings(deps, context.caller, { isOrderMailed, isChatMailed, orderMailTo, seller, version });
		}),
	};
}
