import { contract } from '#contract/contract.ts';
import { requireMember } from '../../platform/actor.ts';
import type { Deps } from '../../platform/deps.ts';
import { implementEndpoints } from '../../platform/http/api.ts';
import { getMailSettingsForAdmin, saveMailSettings } from './mail-settings.ts';
import { sendTestMail } from './outbox/mail-sender.ts';
import { getMailStatus } from './outbox/outbox.service.ts';

export function mailRoutes(deps: Deps) {
	return implementEndpoints(contract.mail, {
		status: (_input, caller) => getMailStatus(deps, caller.locale),
		sendTest: ({ to }, caller) => sendTestMail(deps, requireMember(caller), to),
	});
}

export function mailSettingsRoutes(deps: Deps) {
	return implementEndpoints(contract.mailSettings, {
		get: () => getMailSettingsForAdmin(deps),
		save: (input, caller) => saveMailSettings(deps, caller, input),
	});
}
