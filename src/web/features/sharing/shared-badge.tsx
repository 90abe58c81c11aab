import { IconShare2 } from '@tabler/icons-react';
import { m } from '#messages';
import { useLocale } from '#web/platform/formats/locale.ts';
import { smallIconProps } from '#web/ui/primitives/icon.ts';
import { useIsShared } from './api.ts';
import classes from './shared-badge.module.css';

/** Shown beside the name of a shared item; the sharing dialog lists its recipients. */
export function SharedBadge({ id }: { id: string }) {
	useLocale();
	if (!useIsShared(id)) return null;
	return (
		<span className={classes.badge} title={m.sharing_state_own()}>
			<IconShare2 {...smallIconProps} />
			<span className={classes.hidden}>{m.sharing_state_own()}</span>
		</span>
	);
}
