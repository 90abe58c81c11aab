import { finished } from 'node:stream';
import { implement } from '@orpc/server';
import { contract } from '#contract/contract.ts';
import { AppError } from '../../../platform/app-error.ts';
import { knownDeviceCookie, knownDeviceSeconds } from '../../../platform/auth/sessions/known-devices.ts';
import { sessionCookie } from '../../../platform/auth/sessions/sessions.ts';
import type { Deps } from '../../../platform/deps.ts';
import type { ApiContext } from '../../../platform/http/api.ts';
import { sessionCookieOptions, setSessionCookie } from '../../../platform/http/guard.ts';
import { changePassword } from '../passwords/change-password.ts';
import * as passwordLinks from '../passwords/password-links.ts';
import { presentMe } from '../users/users.service.ts';
import { signIn, signOut } from './sign-in.service.ts';

/** Routes for sign-in, sign-out, passwords and the user's own profile. */
export function signInRoutes(deps: Deps) {
	const os = implement(contract.account).$context<ApiContext>();
	const cookie = sessionCookieOptions(deps);
	const knownDevicesOf = ({ reply }: ApiContext) => reply.request.cookies[knownDeviceCookie];
	const setKnownDevicesCookie = ({ reply }: ApiContext, value: string | null) => {
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
			setSessionCookie(deps, context.reply, token);
			setKnownDevicesCookie(context, known.knownDevices);
			return me;
		}),
		signOut: os.signOut.handler(async ({ context }) => {
			await signOut(deps, context.caller);
			context.reply.clearCookie(sessionCookie, cookie);
			return {};
		}),
		requestReset: os.requestReset.handler(async ({ input, context }) => {
			await passwordLinks.requestPasswordReset(deps, context.caller, input.email);
			return {};
		}),
		checkLink: os.checkLink.handler(async ({ input }) => ({
			isUsable: await passwordLinks.isPasswordLinkUsable(deps, input.token),
		})),
		setPassword: os.setPassword.handler(async ({ input, context }) => {
			const knownDevices = knownDevicesOf(context);
			const known = await passwordLinks.setPasswordByLink(deps, context.caller, { ...input, knownDevices });
			setKnownDevicesCookie(context, known.knownDevices);
			return {};
		}),
		changePassword: os.changePassword.handler(async ({ input, context }) => {
			const knownDevices = knownDevicesOf(context);
			const { token, onResponseSent: letOldCookieGo } = await changePassword(deps, context.caller, {
				...input,
				knownDevices,
			});
			setSessionCookie(deps, context.reply, token);
			finished(context.reply.raw, letOldCookieGo);
			return {};
		}),
	};
}
