import { IconShare2 } from '@tabler/icons-react';
import { m } from '#messages';
import { useLocale } from '#web/platform/locale.ts';
import { smallIconProps } from '#web/ui/icon.ts';
import classes from './share-mark.module.css';
import { useIsShared } from './sharing.api.ts';

/** Stands beside the name of what is shared with somebody; who that is, the sharing dialog says. */
export function ShareMark({ id }: { id: string }) {
	useLocale();
	if (!useIsShared(id)) return null;
	return (
		<span className={classes.mark} title={m.sharing_state_own()}>
			<IconShare2 {...smallIconProps} />
			<span className={classes.hidden}>{m.sharing_state_own()}</span>
		</span>
	);
}
