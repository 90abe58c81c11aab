import type { TooltipProps } from '@mantine/core';
import { useMergedRef } from '@mantine/hooks';
import { cloneElement, type ReactElement, type Ref, useState } from 'react';
import { useOverlays } from './overlays-on-demand.tsx';

interface OnDemandTooltipProps extends Pick<TooltipProps, 'label' | 'position' | 'disabled'> {
	children: ReactElement<{ ref?: Ref<HTMLElement> }>;
}

/** Mantine's tooltip, whose scripts are loaded after the first screen. The child stays the same element. */
export function Tooltip({ children, disabled = false, ...props }: OnDemandTooltipProps) {
	const overlays = useOverlays();
	const [target, setTarget] = useState<HTMLElement | null>(null);
	const ref = useMergedRef(children.props.ref, setTarget);
	return (
		<>
			{cloneElement(children, { ref })}
			{overlays !== undefined && target !== null && !disabled && <overlays.Tooltip target={target} {...props} />}
		</>
	);
}
