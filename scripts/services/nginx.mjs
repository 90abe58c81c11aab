import { requireProgram } from './debian-packages.mjs';

export function requireNginx() {
	const purpose = 'Several processes are tested behind nginx';
	return requireProgram({ name: 'nginx', packages: ['nginx-light'], purpose });
}
