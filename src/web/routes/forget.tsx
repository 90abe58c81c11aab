import { Link } from '@tanstack/react-router';
import { m } from '#messages';
import { ForgetForm } from '#web/features/account/account-forget-form.tsx';
import classes from '#web/features/account/account-form.module.css';
import { PublicFrame } from '#web/ui/public-frame.tsx';

/** /forget. */
export function ForgetScreen() {
	return (
		<PublicFrame
			title={m.screen_forget()}
			intro={m.account_reset_intro()}
			below={
				<Link to="/login" className={classes.link}>
					{m.account_back_to_login()}
				</Link>
			}
		>
			<ForgetForm />
		</PublicFrame>
	);
}
