import { finished } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { contract } from '#contract/contract.ts';
import { requireActor } from '../../../platform/actor.ts';
import { knownDeviceCookie, knownDeviceSeconds } from '../../../platform/auth/sessions/known-devices.ts';
import { sessionCookie } from '../../../platform/auth/sessions/sessions.ts';
import type { Deps } from '../../../platform/deps.ts';
import { implementEndpoints } from '../../../platform/http/api.ts';
import { sessionCookieOptions, setSessionCookie } from '../../../platform/http/guard.ts';
import { changeEmail, changePassword } from '../passwords/change-password.ts';
import * as passwordLinks from '../passwords/password-links.ts';
import { presentMe } from '../users/users.service.ts';
import { signIn, signOut } from './sign-in.service.ts';

export function signInRoutes(deps: Deps) {
	const cookie = sessionCookieOptions(deps);
	const knownDevicesOf = (reply: FastifyReply) => reply.request.cookies[knownDeviceCookie];
	const setKnownDevicesCookie = (reply: FastifyReply, value: string | null) => {
		if (value !== null)
			reply.setCookie(knownDeviceCookie, value, { ...cookie, path: '/api', maxAge: knownDeviceSeconds });
	};
	return implementEndpoints(contract.account, {
		me: (_input, caller) => presentMe(requireActor(caller)),
		signIn: async (input, caller, reply) => {
			const knownDevices = knownDevicesOf(reply);
			const signedIn = await signIn(deps, caller, { ...input, knownDevices });
			setSessionCookie(deps, reply, signedIn.token);
			setKnownDevicesCookie(reply, signedIn.knownDevices);
			return signedIn.me;
		},
		signOut: async (_input, caller, reply) => {
			await signOut(deps, caller);
			reply.clearCookie(sessionCookie, cookie);
		},
		requestReset: (input, caller) => passwordLinks.requestPasswordReset(deps, caller, input.email),
		checkLink: async (input) => ({ isUsable: await passwordLinks.isPasswordLinkUsable(deps, input.token) }),
		setPassword: async (input, caller, reply) => {
			const knownDevices = knownDevicesOf(reply);
			setKnownDevicesCookie(reply, await passwordLinks.setPasswordByLink(deps, caller, { ...input, knownDevices }));
		},
		changePassword: async (input, caller, reply) => {
			const knownDevices = knownDevicesOf(reply);
			const { token, onResponseSent } = await changePassword(deps, caller, { ...input, knownDevices });
			setSessionCookie(deps, reply, token);
			finished(reply.raw, onResponseSent);
		},
		changeEmail: async (input, caller, reply) => {
			await changeEmail(deps, caller, { ...input, knownDevices: knownDevicesOf(reply) });
		},
	});
}
