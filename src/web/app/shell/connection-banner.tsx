import { Group } from '@mantine/core';
import { IconPlugConnectedX } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { m } from '#messages';
import { useIsConnectionLost } from '#web/platform/events/connection-status.ts';
import { isOfflineSupported, readOfflineData } from '#web/platform/offline/offline-store.ts';
import { smallIconProps } from '../../ui/primitives/icon.ts';
import classes from './connection-banner.module.css';

/** How long the banner is shown if a book is stored offline. Without an offline book, the banner stays. */
const bannerMs = 10_000;

/** Shown while the server is unreachable. If a book is stored offline, it is shown only for {@link bannerMs}. */
export function ConnectionBanner() {
	const isLost = useIsConnectionLost();
	const book = useOfflineBookHint(isLost);
	return (
		<div role="status" className={classes.container}>
			{isLost && book !== 'announced' && (
				<Group component="p" gap={8} p="6px 14px" bg="var(--band)" bdrs={99} c="var(--on-band)" fz={13} fw={550}>
					<IconPlugConnectedX {...smallIconProps} />
					{book === 'stored' ? m.common_connection_lost_offline() : m.common_connection_lost()}
				</Group>
			)}
		</div>
	);
}

/** `announced`: a book is stored offline, and the banner has been shown long enough. */
function useOfflineBookHint(isLost: boolean): 'none' | 'stored' | 'announced' {
	const [book, setBook] = useState<'none' | 'stored' | 'announced'>('none');
	useEffect(() => {
		if (!isLost || !isOfflineSupported()) return;
		let isOver = false;
		let timer: number | undefined;
		readOfflineData().then(
			(offlineData) => {
				if (isOver || !offlineData?.editions.some(({ isWhole }) => isWhole)) return;
				setBook('stored');
				timer = window.setTimeout(() => setBook('announced'), bannerMs);
			},
			() => undefined,
		);
		return () => {
			isOver = true;
			window.clearTimeout(timer);
			setBook('none');
		};
	}, [isLost]);
	return book;
}
