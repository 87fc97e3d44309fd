// The line that says who you are here; loaded after page.js.
window.tiers.standing = (root, trigger, watch, keep) => {
  const draw = () => {
    // Within another site's frame the sign-in's cookie is blocked, so it needs a tab of its own.
    const link = root.querySelector("[data-sign-in]");
    if (!link || window.top === window.self) return;
    link.href = ".";
    link.target = "_blank";
    link.textContent = "Open this in a tab of its own to sign in";
  };
  root.addEventListener("click", (event) => {
    if (event.target.closest("[data-keep]")) trigger(keep, {});
  });
  watch("value", () => requestAnimationFrame(draw));
  draw();
};
