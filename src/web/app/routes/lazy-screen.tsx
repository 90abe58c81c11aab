import { type AsyncRouteComponent, lazyRouteComponent } from '@tanstack/react-router';
import type { JSX, ReactNode } from 'react';
import { useLocale } from '#web/platform/formats/locale.ts';

type ScreenComponent<Props> = (props: Props) => ReactNode;

/** A component of a route that is drawn anew when the language changes: the router itself draws only what it knows of. */
export function withLocale<Props>(Component: ScreenComponent<Props>): ScreenComponent<Props & JSX.IntrinsicAttributes> {
	return function InLanguage(props: Props & JSX.IntrinsicAttributes) {
		useLocale();
		return <Component {...props} />;
	};
}

/** A screen in a file of its own, by its exported name. */
export function lazyScreen<Name extends string>(
	load: () => Promise<Record<Name, ScreenComponent<object>>>,
	name: Name,
): AsyncRouteComponent<object> {
	const screen: AsyncRouteComponent<object> = lazyRouteComponent(load, name);
	// Asked for each time: the router's own takes it away once the screen is loaded.
	return Object.assign(withLocale(screen), { preload: () => screen.preload?.() });
}
