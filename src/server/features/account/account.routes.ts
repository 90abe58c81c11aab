import { finished } from 'node:stream';
import { implement } from '@orpc/server';
import { contract } from '#contract/contract.ts';
import { AppError } from '../../platform/app-error.ts';
import { knownDeviceCookie, knownDeviceSeconds } from '../../platform/auth/known-devices.ts';
import { sessionCookie } from '../../platform/auth/sessions.ts';
import type { Deps } from '../../platform/deps.ts';
import type { ApiContext } from '../../platform/http/api.ts';
import { keepSessionCookie, sessionCookieOptions } from '../../platform/http/session-cookie.ts';
import { presentMe } from './account.service.ts';
import { changePassword } from './change-password.ts';
import * as links from './password-links.service.ts';
import { signIn, signOut } from './sign-in.service.ts';

/** Sign-in, sign-out, passwords and the own profile. */
export function accountRoutes(deps: Deps) {
	const os = implement(contract.account).$context<ApiContext>();
	const cookie = sessionCookieOptions(deps);
	const knownDevicesOf = ({ reply }: ApiContext) => reply.request.cookies[knownDeviceCookie];
	const keepKnownDevices = ({ reply }: ApiContext, value: string | null) => {
		if (value !== null)
			reply.setCookie(knownDeviceCookie, value, { ...cookie, path: '/api', maxAge: knownDeviceSeconds });
	};
	return {
		me: os.me.handler(({ context }) => {
			const { actor } = context.caller;
			if (actor === null) throw new AppError('UNAUTHORIZED');
			return presentMe(actor);
		}),
		signIn: os.signIn.handler(async ({ input, context }) => {
			const knownDevices = knownDevicesOf(context);
			const { me, token, ...known } = await signIn(deps, context.caller, { ...input, knownDevices });
			keepSessionCookie(deps, context.reply, token);
			keepKnownDevices(context, known.knownDevices);
			return me;
		}),
		signOut: os.signOut.handler(async ({ context }) => {
			await signOut(deps, context.caller);
			context.reply.clearCookie(sessionCookie, cookie);
			return {};
		}),
		requestReset: os.requestReset.handler(async ({ input, context }) => {
			await links.requestReset(deps, context.caller, input.email);
			return {};
		}),
		checkLink: os.checkLink.handler(async ({ input }) => ({ isUsable: await links.isLinkUsable(deps, input.token) })),
		setPassword: os.setPassword.handler(async ({ input, context }) => {
			const knownDevices = knownDevicesOf(context);
			const known = await links.setPasswordByLink(deps, context.caller, { ...input, knownDevices });
			keepKnownDevices(context, known.knownDevices);
			return {};
		}),
		changePassword: os.changePassword.handler(async ({ input, context }) => {
			const knownDevices = knownDevicesOf(context);
			const { token, letOldCookieGo } = await changePassword(deps, context.caller, { ...input, knownDevices });
			keepSessionCookie(deps, context.reply, token);
			finished(context.reply.raw, letOldCookieGo);
			return {};
		}),
	};
}
