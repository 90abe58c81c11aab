import { IconArrowLeft } from '@tabler/icons-react';
import { useCanGoBack, useNavigate, useRouter } from '@tanstack/react-router';
import { Button } from '#web/ui/primitives/button.tsx';
import textClasses from '#web/ui/primitives/text.module.css';
import classes from '../routes/list-screen.module.css';

/** Goes back to the previous screen, or to the users screen if there is no previous screen. */
export function GoBackButton({ label }: { label: string }) {
	const router = useRouter();
	const canGoBack = useCanGoBack();
	const navigate = useNavigate();
	return (
		<Button
			size="small"
			variant="quiet"
			className={classes.iconOnPhone}
			style={{ marginLeft: -10 }}
			icon={IconArrowLeft}
			onClick={() => (canGoBack ? router.history.back() : void navigate({ to: '/admin' }))}
		>
			<span className={textClasses.hiddenOnPhone}>{label}</span>
		</Button>
	);
}
