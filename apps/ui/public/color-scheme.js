// Sets the colour scheme before anything is painted, so that a dark page never flashes white.
{
  const chosen = localStorage.getItem("mantine-color-scheme-value");
  const isDark = chosen === "dark" || (chosen !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.dataset.mantineColorScheme = isDark ? "dark" : "light";
}
