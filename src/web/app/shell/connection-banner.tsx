import { IconPlugConnectedX } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { m } from '#messages';
import { useIsConnectionLost } from '#web/platform/events/connection-status.ts';
import { isOfflineSupported, readOfflineData } from '#web/platform/offline/offline-store.ts';
import { smallIconProps } from '../../ui/primitives/icon.ts';
import classes from './connection-banner.module.css';

/** How long it stands over what is read without a line. */
const bannerMs = 10_000;

/** Says that the server is out of reach, as long as it is; over a book that is kept here only for a while. */
export function ConnectionBanner() {
	const isLost = useIsConnectionLost();
	const book = useOfflineBookHint(isLost);
	return (
		<div role="status" className={classes.container}>
			{isLost && book !== 'told' && (
				<p className={classes.banner}>
					<IconPlugConnectedX {...smallIconProps} />
					{book === 'here' ? m.common_connection_lost_offline() : m.common_connection_lost()}
				</p>
			)}
		</div>
	);
}

/** Whether this device keeps something to read meanwhile, and that has been told. */
function useOfflineBookHint(isLost: boolean): 'none' | 'here' | 'told' {
	const [book, setBook] = useState<'none' | 'here' | 'told'>('none');
	useEffect(() => {
		if (!isLost || !isOfflineSupported()) return;
		let isOver = false;
		let timer: number | undefined;
		readOfflineData().then(
			(kept) => {
				if (isOver || !kept?.editions.some(({ isWhole }) => isWhole)) return;
				setBook('here');
				timer = window.setTimeout(() => setBook('told'), bannerMs);
			},
			// Forbidden: then there is nothing.
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
