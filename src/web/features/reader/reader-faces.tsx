import { IconArrowLeft } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { m } from '#messages';
import { ButtonLink } from '#web/ui/button.tsx';
import { DeniedState } from '#web/ui/faces.tsx';
import { iconProps } from '#web/ui/icon.ts';
import classes from './reader.module.css';

/** No book access, or not any more. */
export function NoAccess() {
	return (
		<Face>
			<DeniedState title={m.reader_denied_title()} text={m.reader_denied_text()} action={<ToDashboard />} />
		</Face>
	);
}

/** A face that takes the whole screen. */
export function Face({ children }: { children: ReactNode }) {
	return (
		<main id="content" tabIndex={-1} className={classes.full}>
			{children}
		</main>
	);
}

/** The way out of the reader. */
export function ToDashboard() {
	return <ButtonLink to="/dashboard">{m.reader_to_dashboard()}</ButtonLink>;
}

/** The same in the reader's bar. */
export function BackToDashboard() {
	return (
		<ButtonLink
			variant="quiet"
			to="/dashboard"
			aria-label={m.reader_to_dashboard()}
			icon={<IconArrowLeft {...iconProps} />}
		/>
	);
}
