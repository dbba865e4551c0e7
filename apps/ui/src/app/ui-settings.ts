// What the UI's server tells the page: where the API and the identity provider are.

export interface UiSettings {
  api_base: string;
  oidc: { issuer: string; client_id: string; scope: string; resource: string | null };
}

export const loadSettings = async (): Promise<UiSettings> => {
  const response = await fetch("/config.json");
  if (!response.ok) throw new Error(`/config.json answered ${response.status}`);
  return response.json() as Promise<UiSettings>;
};
