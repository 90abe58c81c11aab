import { IconArrowLeft } from '@tabler/icons-react';
import { useCanGoBack, useRouter } from '@tanstack/react-router';
import { m } from '#messages';
import { Button } from '#web/ui/button.tsx';
import { iconProps } from '#web/ui/icon.ts';
import { IconButton } from '#web/ui/icon-button.tsx';
import { BackToDashboard, ToDashboard } from './reader-faces.tsx';

/** To where one came from: the preview, the folder or the lesson. Opened by its address, to the dashboard. */
export function WayBack() {
	const router = useRouter();
	if (!useCanGoBack()) return <BackToDashboard />;
	return (
		<IconButton label={m.reader_back()} icon={<IconArrowLeft {...iconProps} />} onClick={() => router.history.back()} />
	);
}

/** The same on a face. */
export function WayBackButton() {
	const router = useRouter();
	if (!useCanGoBack()) return <ToDashboard />;
	return <Button onClick={() => router.history.back()}>{m.reader_back()}</Button>;
}
