import { requireProgram } from './debian-packages.mjs';

/** Finds or installs nginx. @throws Error with the installation command when there is none */
export function requireNginx() {
	const purpose = 'Several processes are tested behind nginx';
	return requireProgram({ name: 'nginx', packages: ['nginx-light'], purpose });
}
