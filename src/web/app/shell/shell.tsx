import { useLocalStorage, useMediaQuery } from '@mantine/hooks';
import type { MouseEvent, ReactNode } from 'react';
import { m } from '#messages';
import { useIsPhone } from '../../ui/hooks/viewport.ts';
import { ShellContext, type ShellState } from '../../ui/layout/shell-context.ts';
import classes from './shell.module.css';
import { ShellPhoneBar } from './shell-phone-bar.tsx';
import { ShellSidebar } from './shell-sidebar.tsx';

/** In narrower windows, the sidebar is always folded. */
const wideEnough = '(min-width: 1280px)';

export function Shell({ state, children }: { state: ShellState; children: ReactNode }) {
	const [isFoldedByChoice, setFolded] = useLocalStorage({ key: 'sidebar-folded', defaultValue: false });
	const isWide = useMediaQuery(wideEnough, true, { getInitialValueInEffect: false });
	const isPhone = useIsPhone();
	const isFolded = isFoldedByChoice || !isWide;

	return (
		<ShellContext value={state}>
			<div className={classes.shell} data-folded={isFolded || undefined} data-tabs={state.tabs.length > 0 || undefined}>
				{/* biome-ignore lint/a11y/useValidAnchor: a skip link needs its target as `href`. */}
				<a href="#content" className={classes.skip} onClick={focusContent}>
					{m.common_skip_to_content()}
				</a>
				{!isPhone && (
					<ShellSidebar isFolded={isFolded} onToggle={isWide ? () => setFolded(!isFoldedByChoice) : undefined} />
				)}
				<main id="content" tabIndex={-1} style={{ gridColumn: '-2 / -1', minWidth: 0 }}>
					{children}
				</main>
				{isPhone && <ShellPhoneBar />}
			</div>
		</ShellContext>
	);
}

function focusContent(event: MouseEvent): void {
	event.preventDefault();
	document.getElementById('content')?.focus();
}
