import { contract } from '#contract/contract.ts';
import { requireMember } from '../../platform/actor.ts';
import type { Deps } from '../../platform/deps.ts';
import { implementEndpoints } from '../../platform/http/api.ts';
import { getMailSettingsForAdmin, saveMailSettings } from './mail-settings.ts';
import { sendTestMail } from './outbox/mail-sender.ts';
import { getMailStatus } from './outbox/outbox.service.ts';
import { createLoginLink, listUnsentMails, sendMailAgain } from './outbox/unsent-mails.ts';

export function mailRoutes(deps: Deps) {
	return implementEndpoints(contract.mail, {
		status: (_input, caller) => getMailStatus(deps, caller.locale),
		sendTest: ({ to }, caller) => sendTestMail(deps, requireMember(caller), to),
		listUnsent: (input) => listUnsentMails(deps, input),
		sendAgain: async ({ id }, caller) => {
			await sendMailAgain(deps, caller, id);
			return {};
		},
		createLoginLink: ({ id }, caller) => createLoginLink(deps, caller, id),
	});
}

export function mailSettingsRoutes(deps: Deps) {
	return implementEndpoints(contract.mailSettings, {
		get: () => getMailSettingsForAdmin(deps),
		save: (input, caller) => saveMailSettings(deps, caller, input),
	});
}
