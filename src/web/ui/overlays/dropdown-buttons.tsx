import type { MenuProps, PopoverProps } from '@mantine/core';
import { type ReactElement, type ReactNode, useEffect, useId, useLayoutEffect, useState } from 'react';
import { type Overlays, useOverlays } from './overlays-on-demand.tsx';

interface TargetProps {
	id: string;
	ref: (button: HTMLElement | null) => void;
	onClick: () => void;
	'aria-haspopup': 'menu' | 'dialog';
	'aria-expanded': boolean;
	'aria-controls': string | undefined;
}

interface DropdownProps {
	/** Renders the button, which is the same element before and after the overlays have been loaded. */
	button: (props: TargetProps) => ReactElement;
	/** Name of the dropdown; by default the button's. */
	label?: string | undefined;
}

interface MenuButtonProps
	extends DropdownProps,
		Pick<MenuProps, 'position' | 'width' | 'withinPortal' | 'transitionProps'> {
	dropdown?: Omit<Parameters<Overlays['Menu']['Dropdown']>[0], 'children'>;
	/** Renders the items while the menu is open. They receive Mantine's component, whose scripts are loaded on demand. */
	children: (Menu: Overlays['Menu']) => ReactNode;
}

/** A button that opens a menu. */
export function MenuButton({ button, label, dropdown, children, ...menuProps }: MenuButtonProps) {
	const [isOpen, setOpen] = useState(false);
	const { overlays, id, target, targetProps } = useDropdown('menu', isOpen, setOpen);
	return (
		<>
			{button(targetProps)}
			{overlays !== undefined && (
				<overlays.Menu id={id} opened={isOpen} onChange={setOpen} returnFocus={false} {...menuProps}>
					<TargetElement overlays={overlays} target={target} />
					<overlays.Menu.Dropdown aria-label={label} {...dropdown}>
						{children(overlays.Menu)}
					</overlays.Menu.Dropdown>
				</overlays.Menu>
			)}
		</>
	);
}

interface PopoverButtonProps extends DropdownProps, Pick<PopoverProps, 'position' | 'transitionProps'> {
	isOpen: boolean;
	onOpen: (isOpen: boolean) => void;
	className?: string | undefined;
	children: ReactNode;
}

/** A button that opens a panel beside it, which keeps the focus inside. */
export function PopoverButton({ button, label, isOpen, onOpen, className, children, ...props }: PopoverButtonProps) {
	const { overlays, id, target, targetProps } = useDropdown('dialog', isOpen, onOpen);
	return (
		<>
			{button(targetProps)}
			{overlays !== undefined && (
				<overlays.Popover id={id} opened={isOpen} onChange={onOpen} trapFocus withinPortal={false} {...props}>
					<TargetElement overlays={overlays} target={target} />
					<overlays.Popover.Dropdown className={className ?? ''} aria-label={label}>
						{children}
					</overlays.Popover.Dropdown>
				</overlays.Popover>
			)}
		</>
	);
}

/** Opens with the first click or key press, also while the overlays are still loading. Returns the focus on closing. */
function useDropdown(kind: 'menu' | 'dialog', isOpen: boolean, setOpen: (isOpen: boolean) => void) {
	const loaded = useOverlays(isOpen, () => setOpen(false));
	// Lists have many menus, of which few are ever opened.
	const [wasOpened, setWasOpened] = useState(isOpen);
	if (isOpen && !wasOpened) setWasOpened(true);
	const [target, setTarget] = useState<HTMLElement | null>(null);
	const id = useId();
	const dropdownId = `${id}-dropdown`;
	useEffect(() => {
		if (!isOpen) return;
		return () => {
			const active = document.activeElement;
			const isLost = active === null || active === document.body || active.closest(`[id="${dropdownId}"]`) !== null;
			if (isLost) target?.focus({ preventScroll: true });
		};
	}, [isOpen, dropdownId, target]);
	const targetProps: TargetProps = {
		id,
		ref: setTarget,
		onClick: () => setOpen(!isOpen),
		'aria-haspopup': kind,
		'aria-expanded': isOpen,
		'aria-controls': isOpen ? dropdownId : undefined,
	};
	return { overlays: wasOpened ? loaded : undefined, id, target, targetProps };
}

/** Positions the dropdown at the button. Mantine's own target would create the button again when it is loaded. */
function TargetElement({ overlays, target }: { overlays: Overlays; target: HTMLElement | null }) {
	const { reference } = overlays.usePopoverContext();
	useLayoutEffect(() => {
		if (target !== null) reference(target);
	}, [reference, target]);
	return null;
}
