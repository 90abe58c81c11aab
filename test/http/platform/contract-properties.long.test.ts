import { checkContract } from '../../support/contract/check-contract.ts';

checkContract({ inputsPerRoute: 500, routesPerFixture: 10, seed: Date.now() % 2 ** 31 });
