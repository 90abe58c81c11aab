import { m } from '#messages';
import { MessageScreen } from '../fallback-screens.tsx';

/** Target of the redirect for users with the wrong role. */
export function UnauthorizedScreen() {
	return <MessageScreen title={m.screen_unauthorized()} intro={m.common_unauthorized_text()} />;
}

/** Target of the redirect from the login history for users with the wrong role. */
export function NotAuthorizedScreen() {
	return <MessageScreen title={m.screen_not_authorized()} intro={m.common_not_authorized_text()} />;
}
